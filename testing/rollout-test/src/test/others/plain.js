// A server of Node's that knows nothing of SIGTERM.
require('http')
  .createServer((request, response) =>
    setTimeout(() => response.end('ok'), request.url === '/work' ? 300 : 0))
  .listen(process.argv[2]);
