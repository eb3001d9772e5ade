from django.db import migrations, models


class Migration(migrations.Migration):
    """A round's record, and what boards show of it."""

    dependencies = [
        ("games", "0013_share_records"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="logentry",
            name="log_action",
        ),
        migrations.AddField(
            model_name="round",
            name="record",
            field=models.TextField(blank=True, default=""),
        ),
        migrations.AddField(
            model_name="round",
            name="record_mark",
            field=models.CharField(
                blank=True,
                choices=[
                    ("agrees", "The record agrees"),
                    ("differs", "The record differs"),
                    ("broken", "The record is not by the rules"),
                    ("open", "The record does not tell enough"),
                ],
                max_length=7,
            ),
        ),
        migrations.AddField(
            model_name="round",
            name="record_seats",
            field=models.JSONField(default=dict),
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
                    ("record_attached", "Record attached"),
                    ("record_removed", "Record taken off"),
                ],
                max_length=16,
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
                            "record_attached",
                            "record_removed",
                        ],
                    )
                ),
                name="log_action",
            ),
        ),
        migrations.AddConstraint(
            model_name="round",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("record", ""), ("record_mark", "")),
                    models.Q(
                        models.Q(("record", ""), _negated=True),
                        ("record_mark__in", ["agrees", "differs", "broken", "open"]),
                    ),
                    _connector="OR",
                ),
                name="round_record_mark",
            ),
        ),
    ]
