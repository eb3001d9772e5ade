import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Keys of a club's members, which end with their right to keep score."""

    dependencies = [
        ("games", "0016_log_decisions"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="accesskey",
            name="key_one_live_a_role",
        ),
        migrations.AddField(
            model_name="accesskey",
            name="member",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="keys",
                to="games.member",
            ),
        ),
        migrations.AddConstraint(
            model_name="accesskey",
            constraint=models.UniqueConstraint(
                condition=models.Q(("member__isnull", True), ("revoked_at__isnull", True)),
                fields=("game", "role"),
                name="key_one_live_a_role",
            ),
        ),
        migrations.AddConstraint(
            model_name="accesskey",
            constraint=models.UniqueConstraint(
                condition=models.Q(("revoked_at__isnull", True)),
                fields=("game", "member"),
                name="key_one_live_a_member",
            ),
        ),
        migrations.AddConstraint(
            model_name="accesskey",
            constraint=models.CheckConstraint(
                condition=models.Q(("member__isnull", True), ("role", "scorer"), _connector="OR"),
                name="key_of_a_member_scores",
            ),
        ),
    ]
