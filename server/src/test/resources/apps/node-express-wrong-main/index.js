require('express')().get('/', (_, res) => res.send('hello')).listen(process.env.PORT);
