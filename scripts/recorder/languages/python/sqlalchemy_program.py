"""A loop that asks for each author by itself, with SQLAlchemy's ORM."""

import time

import sentry_sdk
from sqlalchemy import ForeignKey, create_engine, event, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship
from sqlalchemy.pool import StaticPool

from recording import dsn

sentry_sdk.init(
    dsn,
    release="shop-books@1.0.0",
    environment="production",
    server_name="web-9",
    traces_sample_rate=1.0,
    # The line of each query, not only of slow ones.
    db_query_source_threshold_ms=0,
)


class Base(DeclarativeBase):
    pass


class Author(Base):
    __tablename__ = "authors"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]


class Book(Base):
    __tablename__ = "books"
    id: Mapped[int] = mapped_column(primary_key=True)
    author_id: Mapped[int] = mapped_column(ForeignKey("authors.id"))
    author: Mapped[Author] = relationship()


engine = create_engine("sqlite://", poolclass=StaticPool)
Base.metadata.create_all(engine)
with Session(engine) as session:
    session.add_all(Book(id=number, author=Author(id=number, name=f"Author {number}")) for number in range(10))
    session.commit()


@event.listens_for(engine, "before_cursor_execute")
def pause(*arguments):
    """A database is further away than memory."""
    time.sleep(0.008)


def authors_of(session):
    return [book.author.name for book in session.scalars(select(Book).order_by(Book.id))]


with sentry_sdk.start_transaction(op="task", name="list authors"), Session(engine) as session:
    authors_of(session)
sentry_sdk.flush(5)
