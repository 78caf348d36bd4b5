// Reads {secret, headers, body}; fails unless the reference library takes the request.
const { Webhook } = require("standardwebhooks");
const { secret, headers, body } = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(new Webhook(secret).verify(body, headers).type);
