import django.utils.timezone
from django.db import migrations, models

import games.models.records


class Migration(migrations.Migration):
    """Records that were checked on a page, and can be seen again by their link."""

    dependencies = [("games", "0012_tell_results")]

    operations = [
        migrations.CreateModel(
            name="SharedRecord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "slug",
                    models.SlugField(
                        default=games.models.records.new_link, editable=False, max_length=16, unique=True
                    ),
                ),
                ("text", models.TextField()),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("seen_on", models.DateField(db_index=True, default=django.utils.timezone.localdate)),
            ],
        )
    ]
