"""Seats on own phones: who holds them, hands told before a round is closed, rounds confirmed."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0006_keep_deleted_games"),
    ]

    operations = [
        migrations.CreateModel(
            name="HandIn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("round_number", models.PositiveSmallIntegerField()),
                ("points", models.PositiveIntegerField()),
                ("out", models.BooleanField(default=False)),
                ("marker", models.BooleanField(default=False)),
                ("tile_count", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("tiles", models.JSONField(blank=True, null=True)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("who", models.CharField(blank=True, max_length=40)),
                ("times", models.PositiveSmallIntegerField(default=1)),
            ],
        ),
        migrations.CreateModel(
            name="SeatHolder",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("device", models.CharField(max_length=22)),
                ("lost", models.BooleanField(default=False)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="accesskey",
            name="key_role",
        ),
        migrations.RemoveConstraint(
            model_name="logentry",
            name="log_action",
        ),
        migrations.AddField(
            model_name="game",
            name="second_person",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="game",
            name="stirred",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="round",
            name="confirmed",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="round",
            name="device",
            field=models.CharField(blank=True, max_length=22),
        ),
        migrations.AlterField(
            model_name="accesskey",
            name="role",
            field=models.CharField(
                choices=[("scorer", "keeps score"), ("viewer", "watches"), ("seat", "has a seat")],
                max_length=6,
            ),
        ),
        migrations.AlterField(
            model_name="logentry",
            name="action",
            field=models.CharField(
                choices=[
                    ("started", "Game started"),
                    ("setup_changed", "Game set up anew"),
                    ("round_recorded", "Round entered"),
                    ("round_corrected", "Round corrected"),
                    ("round_removed", "Round taken back"),
                    ("finished", "Game finished"),
                    ("player_joined", "Player joined"),
                    ("player_changed", "Players changed"),
                    ("adjusted", "Total adjusted"),
                    ("adjustment_gone", "Adjustment taken back"),
                    ("undone", "Undone"),
                    ("redone", "Done again"),
                    ("link_replaced", "Link stopped, new one made"),
                    ("challenged", "Score disputed"),
                    ("ruled", "Dispute ruled on"),
                    ("abandoned", "Game abandoned"),
                    ("resumed", "Game taken up again"),
                    ("deleted", "Game deleted"),
                    ("restored", "Deleted game brought back"),
                    ("confirmed", "Round confirmed"),
                ],
                max_length=16,
            ),
        ),
        migrations.AddConstraint(
            model_name="accesskey",
            constraint=models.CheckConstraint(
                condition=models.Q(("role__in", ["scorer", "viewer", "seat"])), name="key_role"
            ),
        ),
        migrations.AddConstraint(
            model_name="logentry",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "action__in",
                        [
                            "started",
                            "setup_changed",
                            "round_recorded",
                            "round_corrected",
                            "round_removed",
                            "finished",
                            "player_joined",
                            "player_changed",
                            "adjusted",
                            "adjustment_gone",
                            "undone",
                            "redone",
                            "link_replaced",
                            "challenged",
                            "ruled",
                            "abandoned",
                            "resumed",
                            "deleted",
                            "restored",
                            "confirmed",
                        ],
                    )
                ),
                name="log_action",
            ),
        ),
        migrations.AddField(
            model_name="handin",
            name="game",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="hands_in", to="games.game"
            ),
        ),
        migrations.AddField(
            model_name="handin",
            name="player",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="hands_in", to="games.player"
            ),
        ),
        migrations.AddField(
            model_name="seatholder",
            name="game",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="holders", to="games.game"
            ),
        ),
        migrations.AddField(
            model_name="seatholder",
            name="player",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="holders", to="games.player"
            ),
        ),
        migrations.AddConstraint(
            model_name="handin",
            constraint=models.UniqueConstraint(
                fields=("player", "round_number"), name="hand_in_once_a_round"
            ),
        ),
        migrations.AddConstraint(
            model_name="handin",
            constraint=models.CheckConstraint(
                condition=models.Q(("out", False), ("points", 0), _connector="OR"),
                name="hand_in_out_is_empty",
            ),
        ),
        migrations.AddConstraint(
            model_name="seatholder",
            constraint=models.UniqueConstraint(fields=("game", "device"), name="holder_one_seat_a_phone"),
        ),
        migrations.AddConstraint(
            model_name="seatholder",
            constraint=models.UniqueConstraint(
                condition=models.Q(("lost", False)), fields=("player",), name="holder_one_phone_a_seat"
            ),
        ),
        migrations.AddConstraint(
            model_name="seatholder",
            constraint=models.CheckConstraint(
                condition=models.Q(("device", ""), _negated=True), name="holder_has_a_phone"
            ),
        ),
    ]
