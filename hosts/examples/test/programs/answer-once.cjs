/** Assembles the books over an embedded store in memory, calls them once over HTTP, stops, and prints the answer. */
module.exports = async ({ assembly, koa, store, plugins }) => {
  const opened = await store.embeddedStore({ folder: 'memory' });
  const service = await assembly.assemble({
    plugins,
    store: opened,
    auth: { jwtSecret: 'replace this secret by one of your own', issuer: 'shop', audience: 'shop' },
  });
  await service.startWorker();
  const server = koa.createLimitedServer(koa.createKoaApp(service).callback());
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const answer = await fetch(`http://127.0.0.1:${server.address().port}/v1/status`);
  const { status } = await answer.json();
  await koa.stopServer(server, [service]);
  await opened.close();
  console.log(JSON.stringify({ node: process.versions.node.split('.')[0], http: answer.status, status }));
};
