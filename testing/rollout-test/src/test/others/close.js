// The handler that most guides show: it stops listening, and exits after the last connection.
const server = require('http')
  .createServer((request, response) =>
    setTimeout(() => response.end('ok'), request.url === '/work' ? 300 : 0))
  .listen(process.argv[2]);
process.on('SIGTERM', () => server.close(() => process.exit(0)));
