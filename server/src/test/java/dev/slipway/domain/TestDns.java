package dev.slipway.domain;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/** A DNS server on the loopback, which knows what the test tells it. */
public final class TestDns implements AutoCloseable {
  private static final int MAX_BYTES = 4096;
  private static final int TTL = 60;

  private final DatagramSocket socket;
  private final ServerSocket streams;
  private final List<Record> records = new CopyOnWriteArrayList<>();
  private volatile int failure = Rcode.NOERROR;

  public TestDns() {
    ServerSocket found = listen();
    DatagramSocket same = datagrams(found.getLocalPort()).orElse(null);
    while (same == null) { // somebody has the other one of the two
      close(found);
      found = listen();
      same = datagrams(found.getLocalPort()).orElse(null);
    }
    streams = found;
    socket = same;
    Thread.ofVirtual().name("test dns").start(this::serve);
    Thread.ofVirtual().name("test dns by TCP").start(this::serveStreams);
  }

  private static ServerSocket listen() {
    try {
      return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Optional<DatagramSocket> datagrams(int port) {
    try {
      return Optional.of(
          new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
    } catch (SocketException taken) {
      return Optional.empty();
    }
  }

  private static void close(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public InetSocketAddress address() {
    return new InetSocketAddress(socket.getLocalAddress(), socket.getLocalPort());
  }

  /** What asks this server. */
  public Dns client() {
    return new Dns(List.of(address()));
  }

  public TestDns alias(String name, String target) {
    records.add(new CNAMERecord(name(name), DClass.IN, TTL, name(target)));
    return this;
  }

  public TestDns address(String name, String literal) {
    InetAddress address = InetAddress.ofLiteral(literal);
    records.add(
        address.getAddress().length == 4
            ? new ARecord(name(name), DClass.IN, TTL, address)
            : new AAAARecord(name(name), DClass.IN, TTL, address));
    return this;
  }

  public TestDns text(String name, String text) {
    records.add(new TXTRecord(name(name), DClass.IN, TTL, text));
    return this;
  }

  /** Forgets all records of a name. */
  public TestDns forget(String name) {
    records.removeIf(known -> known.getName().equals(name(name)));
    return this;
  }

  /** Answers everything with SERVFAIL, or no more. */
  public TestDns failing(boolean fails) {
    failure = fails ? Rcode.SERVFAIL : Rcode.NOERROR;
    return this;
  }

  private void serve() {
    byte[] bytes = new byte[MAX_BYTES];
    while (!socket.isClosed()) {
      try {
        DatagramPacket packet = new DatagramPacket(bytes, bytes.length);
        socket.receive(packet);
        byte[] asked = Arrays.copyOf(packet.getData(), packet.getLength());
        byte[] answer = answer(new Message(asked)).toWire();
        socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
      } catch (IOException e) {
        if (!socket.isClosed()) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  /** Each question and answer with its length before it (RFC 1035, 4.2.2). */
  private void serveStreams() {
    while (!streams.isClosed()) {
      try {
        Socket peer = streams.accept();
        Thread.startVirtualThread(() -> serve(peer));
      } catch (IOException e) {
        return; // Closed: the test is over.
      }
    }
  }

  private void serve(Socket peer) {
    try (peer;
        DataInputStream in = new DataInputStream(peer.getInputStream());
        DataOutputStream out = new DataOutputStream(peer.getOutputStream())) {
      while (true) {
        byte[] asked = in.readNBytes(in.readUnsignedShort());
        byte[] answer = answer(new Message(asked)).toWire();
        out.writeShort(answer.length);
        out.write(answer);
        out.flush();
      }
    } catch (IOException e) {
      // Whoever asked has heard enough.
    }
  }

  private Message answer(Message asked) {
    Record question = asked.getQuestion();
    Message answer = new Message(asked.getHeader().getID());
    answer.getHeader().setFlag(Flags.QR);
    answer.getHeader().setFlag(Flags.RA);
    answer.addRecord(question, Section.QUESTION);
    answer.getHeader().setRcode(failure);
    if (failure != Rcode.NOERROR) {
      return answer;
    }
    Name name = question.getName();
    boolean known = records.stream().anyMatch(record -> record.getName().equals(name));
    for (Name next = name; next != null; ) {
      next = add(answer, next, question.getType());
    }
    if (!known) {
      answer.getHeader().setRcode(Rcode.NXDOMAIN);
    }
    return answer;
  }

  /** Adds what there is of a name; answers the name to go on with. */
  private @Nullable Name add(Message answer, Name name, int type) {
    Name next = null;
    for (Record record : records) {
      if (record.getName().equals(name)) {
        if (record.getType() == type) {
          answer.addRecord(record, Section.ANSWER);
        } else if (record instanceof CNAMERecord alias && type != Type.CNAME) {
          answer.addRecord(record, Section.ANSWER);
          next = alias.getTarget();
        }
      }
    }
    return next;
  }

  private static Name name(String text) {
    try {
      return Name.fromString(text + ".");
    } catch (TextParseException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  @Override
  public void close() {
    socket.close();
    try {
      streams.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
