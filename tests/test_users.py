"""The user model: one account an address, whatever the capital letters."""

import pytest
from django.contrib.auth import authenticate
from django.core.exceptions import ValidationError
from django.db import IntegrityError

from games.models import User

pytestmark = pytest.mark.django_db


def test_an_address_is_kept_in_lower_case_and_found_by_any() -> None:
    user = User.objects.create_user("Ruth@Example.org", "trains and tiles")

    assert user.email == "ruth@example.org"
    assert authenticate(username="RUTH@example.org", password="trains and tiles") == user
    assert authenticate(username="ruth@example.org", password="trains") is None


def test_an_address_has_one_account_even_past_the_manager() -> None:
    User.objects.create_user("ruth@example.org")

    with pytest.raises(ValidationError):
        User(email="Ruth@example.org", password="x").full_clean()
    with pytest.raises(IntegrityError):
        User(email="Ruth@example.org").save()


def test_an_operator_is_made_as_one() -> None:
    operator = User.objects.create_superuser("ops@example.org", "trains and tiles")

    assert operator.is_staff
    assert operator.is_superuser


def test_others_are_shown_the_name_if_there_is_one() -> None:
    assert str(User(email="ruth@example.org", name="Ruth")) == "Ruth"
    assert str(User(email="ruth@example.org")) == "ruth@example.org"
