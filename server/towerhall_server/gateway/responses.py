"""Plain HTTP answers, with the headers that every one of them has."""

from collections.abc import Mapping
from http import HTTPStatus

from websockets.datastructures import Headers
from websockets.http11 import Response

TEXT = "text/plain; charset=utf-8"
NO_STORE = {"Cache-Control": "no-store"}


def respond(
    status: HTTPStatus,
    body: str | bytes,
    kind: str = TEXT,
    headers: Mapping[str, str] = NO_STORE,
) -> Response:
    payload = body.encode() if isinstance(body, str) else body
    all_headers = Headers(
        {
            "Content-Type": kind,
            "Content-Length": str(len(payload)),
            "X-Content-Type-Options": "nosniff",
            "Connection": "close",
            **headers,
        }
    )
    return Response(status.value, status.phrase, all_headers, payload)


def not_modified(headers: Mapping[str, str]) -> Response:
    """It has no body, and says nothing of the one that the asker has."""
    status = HTTPStatus.NOT_MODIFIED
    return Response(status.value, status.phrase, Headers({"Connection": "close", **headers}), b"")


def without_body(response: Response) -> Response:
    """What a HEAD gets: the length is still that of the whole."""
    response.body = b""
    return response
