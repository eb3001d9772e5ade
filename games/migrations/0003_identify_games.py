"""Give every game an identity that travels with its export: a column, its values, then the constraint."""

import uuid

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def identify(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    game = apps.get_model("games", "Game")
    for pk in game.objects.values_list("pk", flat=True).iterator():
        game.objects.filter(pk=pk).update(uid=uuid.uuid4())


class Migration(migrations.Migration):
    dependencies = [("games", "0002_adjust_totals")]

    operations = [
        migrations.AddField("game", "uid", models.UUIDField(null=True, editable=False)),
        migrations.RunPython(identify, migrations.RunPython.noop),
        migrations.AlterField(
            "game", "uid", models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
        ),
    ]
