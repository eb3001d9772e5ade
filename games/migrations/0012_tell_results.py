from django.db import migrations, models


class Migration(migrations.Migration):
    """A club's game that is known by its result alone."""

    dependencies = [("games", "0011_found_clubs")]

    operations = [
        migrations.AddField(
            model_name="clubgame", name="told", field=models.JSONField(blank=True, null=True)
        ),
    ]
