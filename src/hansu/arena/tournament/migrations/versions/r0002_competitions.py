"""Competitions: participants, their entries, the encounters drawn, snapshots of the ratings."""

import sqlalchemy as sql
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "participants",
        sql.Column("event", sql.String(200), primary_key=True),
        sql.Column("name", sql.String(200), primary_key=True),
        sql.Column("folded", sql.String(200), nullable=False),
        sql.Column("token", sql.String(64)),
        sql.Column("is_staff", sql.Boolean, nullable=False),
        sql.Column("withdrawn", sql.Float),
        sql.UniqueConstraint("event", "folded"),
        sql.UniqueConstraint("event", "token"),
    )
    op.create_table(
        "entries",
        sql.Column("event", sql.String(200), primary_key=True),
        sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
        sql.Column("participant", sql.String(200), nullable=False),
        sql.Column("version", sql.Integer, nullable=False),
        sql.Column("digest", sql.String(64), nullable=False),
        sql.Column("agent", sql.Text, nullable=False),
        sql.Column("source", sql.Text, nullable=False),
        sql.Column("received", sql.Float, nullable=False),
        sql.Column("status", sql.Text, nullable=False),
        sql.Column("report", sql.Text, nullable=False),
        sql.UniqueConstraint("event", "participant", "version"),
    )
    op.create_table(
        "encounters",
        sql.Column("event", sql.String(200), primary_key=True),
        sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
        sql.Column("round", sql.Integer, nullable=False),
        sql.Column("a", sql.Integer, nullable=False),
        sql.Column("b", sql.Integer, nullable=False),
    )
    op.create_table(
        "snapshots",
        sql.Column("event", sql.String(200), primary_key=True),
        sql.Column("round", sql.Integer, primary_key=True, autoincrement=False),
        sql.Column("at", sql.Float, nullable=False),
        sql.Column("ratings", sql.Text, nullable=False),
    )
