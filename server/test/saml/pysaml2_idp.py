"""
An identity provider by pysaml2, which answers lines of JSON on its input with lines on its output. It does what it is
told, also what no provider should.
"""
import base64
import contextlib
import json
import sys
import tempfile

from saml2 import BINDING_HTTP_REDIRECT, time_util
from saml2.config import IdPConfig
from saml2.saml import NameID
from saml2.server import Server
from saml2.xmldsig import DIGEST_SHA1, DIGEST_SHA256, SIG_RSA_SHA1, SIG_RSA_SHA256

PASSWORD = {
    "class_ref": "urn:oasis:names:tc:SAML:2.0:ac:classes:Password",
    "authn_auth": "https://idp.example/login",
}


def file_of(text):
    handle = tempfile.NamedTemporaryFile("w", suffix=".pem", delete=False)
    handle.write(text)
    handle.close()
    return handle.name


def server_of(call):
    location = call["entityId"] + "/sso"
    config = {
        "entityid": call["entityId"],
        "xmlsec_binary": "/usr/bin/xmlsec1",
        "key_file": file_of(call["key"]),
        "cert_file": file_of(call["certificate"]),
        "metadata": {"inline": call["metadata"]},
        "allow_unknown_attributes": True,
        "service": {
            "idp": {
                "endpoints": {"single_sign_on_service": [(location, BINDING_HTTP_REDIRECT)]},
                "want_authn_requests_signed": call.get("wantsSignedRequests", False),
                "policy": {
                    "default": {
                        "lifetime": {"minutes": call.get("lifetimeMinutes", 5)},
                        "attribute_restrictions": None,
                        "name_form": "urn:oasis:names:tc:SAML:2.0:attrname-format:basic",
                    }
                },
            }
        },
    }
    return Server(config=IdPConfig().load(config))


@contextlib.contextmanager
def clock(shift):
    """The provider's clock, so many seconds ahead."""
    now, gmtime = time_util.datetime, time_util.time.gmtime

    class Shifted(now):
        @classmethod
        def now(cls, zone=None):
            return now.now(zone) + time_util.timedelta(seconds=shift)

    class Time:
        def __getattr__(self, name):
            return getattr(plain, name)

        @staticmethod
        def gmtime(seconds=None):
            return gmtime(plain.time() + shift if seconds is None else seconds)

    plain = time_util.time
    time_util.datetime, time_util.time = Shifted, Time()
    try:
        yield
    finally:
        time_util.datetime, time_util.time = now, plain


def respond(call):
    server = server_of(call)
    asked = {}
    if call.get("query"):
        query = call["query"]
        request = server.parse_authn_request(
            query["SAMLRequest"],
            BINDING_HTTP_REDIRECT,
            relay_state=query.get("RelayState"),
            sigalg=query.get("SigAlg"),
            signature=query.get("Signature"),
        )
        asked = server.response_args(request.message)
        asked = {key: asked[key] for key in ("in_response_to", "destination", "sp_entity_id")}
    asked.update(call.get("instead", {}))
    weak = call.get("hash") == "sha1"
    with clock(call.get("clockSeconds", 0)):
        response = server.create_authn_response(
            call.get("attributes", {}),
            name_id=NameID(format=call["format"], text=call["nameId"]),
            authn=PASSWORD,
            sign_assertion=call.get("signAssertion", True),
            sign_response=call.get("signResponse", False),
            encrypt_assertion=call.get("encrypt", False),
            encrypt_assertion_self_contained=True,
            sign_alg=SIG_RSA_SHA1 if weak else SIG_RSA_SHA256,
            digest_alg=DIGEST_SHA1 if weak else DIGEST_SHA256,
            **asked,
        )
    return {"xml": str(response)}


for line in sys.stdin:
    try:
        answer = respond(json.loads(line))
    except Exception as error:  # What it is told may be impossible.
        answer = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), flush=True)
