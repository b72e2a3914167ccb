import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.configuration.connectors.BoltConnector;
import org.neo4j.configuration.connectors.ConnectorPortRegister;
import org.neo4j.configuration.connectors.ConnectorType;
import org.neo4j.configuration.helpers.SocketAddress;
import org.neo4j.dbms.api.DatabaseManagementService;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;
import org.neo4j.io.ByteUnit;
import org.neo4j.kernel.internal.GraphDatabaseAPI;

/**
 * Graph servers for tests, all in this process, because each further one starts in less than a second. A client of the
 * control port sends `start N M`, gets the addresses of N fresh servers in one line, each with M megabytes for a statement, and ends them by closing its
 * connection. Everything listens on the loopback address only, and ends when standard input does.
 */
class BoltServers {
  private static final AtomicInteger made = new AtomicInteger();

  public static void main(String[] words) throws Exception {
    Path home = Path.of(words[0]);
    Thread parent = new Thread(BoltServers::endWithParent);
    parent.setDaemon(true);
    parent.start();
    try (ServerSocket control = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
      System.out.println("control " + control.getLocalPort());
      while (true) {
        Socket client = control.accept();
        new Thread(() -> serve(client, home)).start();
      }
    }
  }

  private static void endWithParent() {
    try {
      while (System.in.read() >= 0) {}
    } catch (IOException error) {
      // The parent is gone, as at the end of its input.
    }
    Runtime.getRuntime().halt(0);
  }

  private static void serve(Socket client, Path home) {
    List<DatabaseManagementService> servers = new ArrayList<>();
    List<Path> folders = new ArrayList<>();
    try (client;
        BufferedReader input = new BufferedReader(new InputStreamReader(client.getInputStream()));
        PrintWriter output = new PrintWriter(client.getOutputStream(), true)) {
      for (String line = input.readLine(); line != null; line = input.readLine()) {
        String[] words = line.trim().split(" ");
        int count = Integer.parseInt(words[1]);
        long memoryMegabytes = Long.parseLong(words[2]);
        StringJoiner addresses = new StringJoiner(" ");
        for (int index = 0; index < count; index += 1) {
          Path folder = home.resolve("server-" + made.incrementAndGet());
          folders.add(folder);
          DatabaseManagementService server = start(folder, memoryMegabytes);
          servers.add(server);
          addresses.add("bolt://127.0.0.1:" + portOf(server));
        }
        output.println(addresses);
      }
    } catch (Exception error) {
      error.printStackTrace();
    } finally {
      servers.forEach(DatabaseManagementService::shutdown);
      folders.forEach(BoltServers::remove);
    }
  }

  private static DatabaseManagementService start(Path folder, long memoryMegabytes) {
    return new DatabaseManagementServiceBuilder(folder)
        .setConfig(BoltConnector.enabled, true)
        .setConfig(BoltConnector.listen_address, new SocketAddress("127.0.0.1", 0))
        .setConfig(GraphDatabaseSettings.pagecache_memory, ByteUnit.mebiBytes(16))
        .setConfig(GraphDatabaseSettings.preallocate_logical_logs, false)
        .setConfig(GraphDatabaseSettings.preallocate_store_files, false)
        .setConfig(GraphDatabaseSettings.memory_transaction_max_size, ByteUnit.mebiBytes(memoryMegabytes))
        .build();
  }

  private static int portOf(DatabaseManagementService server) {
    GraphDatabaseAPI database = (GraphDatabaseAPI) server.database("neo4j");
    ConnectorPortRegister ports = database.getDependencyResolver().resolveDependency(ConnectorPortRegister.class);
    return ports.getLocalAddress(ConnectorType.BOLT).getPort();
  }

  private static void remove(Path folder) {
    try (Stream<Path> paths = Files.walk(folder)) {
      paths.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
    } catch (IOException error) {
      System.err.println("not removed: " + error);
    }
  }
}
