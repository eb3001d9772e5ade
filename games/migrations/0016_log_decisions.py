from django.db import migrations, models


class Migration(migrations.Migration):
    """What the club decided of a score, in the log."""

    dependencies = [
        ("games", "0015_write_drafts"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="logentry",
            name="log_action",
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
                    ("decided", "Score decided by the club"),
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
                            "decided",
                        ],
                    )
                ),
                name="log_action",
            ),
        ),
    ]
