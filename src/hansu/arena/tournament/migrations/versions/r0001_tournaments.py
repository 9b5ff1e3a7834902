"""Tournaments and their games."""

import sqlalchemy as sql
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "tournaments",
        sql.Column("name", sql.String(200), primary_key=True),
        sql.Column("plan", sql.Text, nullable=False),
    )
    op.create_table(
        "games",
        sql.Column(
            "tournament", sql.String(200), sql.ForeignKey("tournaments.name"), primary_key=True
        ),
        sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
        sql.Column("first", sql.Text, nullable=False),
        sql.Column("second", sql.Text, nullable=False),
        sql.Column("score_first", sql.Float, nullable=False),
        sql.Column("reason", sql.Text, nullable=False),
        sql.Column("record", sql.Text, nullable=False),
    )
