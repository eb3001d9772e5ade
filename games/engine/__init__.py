"""The rule book of Mexican Train, in plain Python.

Knows the tiles, the house rules, what a round's scores may be and how a table is ranked. Must not know
Django, a database, a clock, a language or chance: the same values in give the same values out, on the
standard library alone. What is wrong comes out as `Problem` values, a code with facts; sentences are made
elsewhere.

Read it in this order: `tiles`, `rules`, `sequence`, `hands`, `claims`, `zeros`,
`checks` (with `feasible`), `scoring`, `tiebreaks`, `standings`. How a round is played: `suits`, `moves`,
`table` (with `legality`), `round`. How it is written and judged: `record` (with `course`), `heading`,
`reading`, `moments`, `replay` (with `stride`), `ending`, `deals` (with `matching` and `sums`), `clash`,
`proof`.
"""
