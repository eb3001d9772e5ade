"""The table's code for every game there is."""

import secrets

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def give_keys(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    game, key = apps.get_model("games", "Game"), apps.get_model("games", "AccessKey")
    for pk in game.objects.values_list("pk", flat=True).iterator():
        key.objects.create(game_id=pk, role="seat", key=secrets.token_urlsafe(24))


class Migration(migrations.Migration):
    dependencies = [("games", "0007_seat_players")]

    operations = [migrations.RunPython(give_keys, migrations.RunPython.noop)]
