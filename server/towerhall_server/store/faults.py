"""What the store raises.

StoreError
├── StoreUnreachable   opening: no store answers at that address
├── StoreTooOld        opening: the store lacks what the scripts need
├── StoreIsSpread      opening: a cluster of several servers
├── StoreBroken        an error reply that no fault explains: wrong data, missing rights, or a bug
└── NoAnswer           the store did not do its part; the next try may succeed
    ├── Unavailable    certainly not done: it was not sent, or the store refused it untouched
    └── Unknown        sent, and no answer came: it may have been done

Unknown is not an Unavailable: who catches one of them knows which of the two things holds.
"""

OLDEST = (6, 2)

_REFUSED_UNTOUCHED = frozenset(
    {"LOADING", "READONLY", "MISCONF", "OOM", "BUSY", "CLUSTERDOWN", "MASTERDOWN", "NOREPLICAS"}
)
_IN_SCRIPT = "ERR Error running script"


class StoreError(Exception):
    """Anything the store raises."""


class StoreUnreachable(StoreError):
    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"no store answers at {url}: {reason}")
        self.url = url
        self.reason = reason


class StoreTooOld(StoreError):
    def __init__(self, url: str, version: str) -> None:
        oldest = ".".join(map(str, OLDEST))
        super().__init__(f"the store at {url} is version {version}; {oldest} or newer is needed")
        self.url = url
        self.version = version


class StoreIsSpread(StoreError):
    def __init__(self, url: str) -> None:
        super().__init__(
            f"the store at {url} is a cluster of several servers; a hall speaks to one server, "
            "which may be a cluster of its own"
        )


class StoreBroken(StoreError):
    """An error reply that should not exist."""


class NoAnswer(StoreError):
    """The store did not do its part; the next try may succeed."""


class Unavailable(NoAnswer):
    """Certainly not done."""


class Unknown(NoAnswer):
    """It may have been done."""


def fault_of(error: str) -> StoreError:
    """The exception for an error reply's text."""
    if refusal_in(error):
        return Unavailable(error)
    return StoreBroken(error)


def refusal_in(error: str) -> str | None:
    """The word by which a store refuses a command that it left undone, if this is one."""
    # Before version 7 a script's errors hide the word: "ERR Error running script (…): …: -OOM …".
    words = error.split() if error.startswith(_IN_SCRIPT) else error.split(maxsplit=1)[:1]
    return next((word for raw in words if (word := raw.strip("-:")) in _REFUSED_UNTOUCHED), None)
