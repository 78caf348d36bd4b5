# Reads {secret, headers, body}; fails unless the reference library takes the request.
import json
import sys

from standardwebhooks import Webhook

request = json.load(sys.stdin)
print(Webhook(request["secret"]).verify(request["body"], request["headers"])["type"])
