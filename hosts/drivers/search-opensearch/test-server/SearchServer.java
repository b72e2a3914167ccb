import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.transport.Netty4Plugin;

/**
 * A search server for tests. It listens on the loopback address only, prints its port, and ends when standard input
 * does.
 */
class SearchServer extends Node {
  private SearchServer(Environment environment) {
    super(environment, List.of(Netty4Plugin.class), false);
  }

  public static void main(String[] args) throws Exception {
    Path home = Path.of(args[0]);
    for (String name : List.of("config", "lib", "modules", "plugins")) Files.createDirectories(home.resolve(name));
    Settings settings =
        Settings.builder()
            .put("path.home", home.toString())
            .put("http.type", "netty4")
            .put("transport.type", "netty4")
            .put("network.host", "127.0.0.1")
            .put("http.port", "0")
            .put("transport.port", "0")
            .put("discovery.type", "single-node")
            .put("cluster.name", "tests")
            .put("node.name", "tests")
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .build();
    Environment environment =
        InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), home.resolve("config"), () -> "tests");
    SearchServer server = new SearchServer(environment);
    server.start();
    HttpServerTransport http = server.injector().getInstance(HttpServerTransport.class);
    System.out.println("port " + http.boundAddress().publishAddress().getPort());
    try {
      while (System.in.read() >= 0) {}
    } catch (IOException error) {
      // The parent is gone, as at the end of its input.
    }
    Runtime.getRuntime().halt(0);
  }
}
