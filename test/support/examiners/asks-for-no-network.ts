import { createHook } from 'node:async_hooks';

/** What Node calls the beginning of a connection, of a datagram and of a question for a name, whichever library asks for it. */
const asking = new Set([
  ...['TCPWRAP', 'TCPCONNECTWRAP', 'PIPECONNECTWRAP', 'UDPWRAP', 'UDPSENDWRAP'],
  ...['GETADDRINFOREQWRAP', 'GETNAMEINFOREQWRAP', 'QUERYWRAP'],
]);

/** A program of Node that loads this file before its own ends without an answer as soon as it asks for the network. */
createHook({
  init(_, type) {
    if (asking.has(type)) process.abort();
  },
}).enable();
