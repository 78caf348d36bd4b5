package dev.slipway.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * A proxy or file server that the edge is measured beside, with the settings that its manual
 * recommends for many requests: connections to the program are kept, nothing is logged.
 */
enum Rival {
  NGINX("nginx.conf", "nginx -p . -e stderr -c nginx.conf") {
    @Override
    String settings(int port, int program, Path files) {
      return """
      %s
      http {
        access_log off;
        %s
        upstream program { server 127.0.0.1:%d; keepalive 64; keepalive_requests 1000000000; }
        server {
          listen 127.0.0.1:%d reuseport;
          location / {
            proxy_pass http://program;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host $host;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
          }
          location /files/ { alias %s/; }
        }
      }
      """
          .formatted(NGINX_HEAD, NGINX_HTTP, program, port, files);
    }
  },
  HAPROXY("haproxy.cfg", "haproxy -db -f haproxy.cfg") {
    @Override
    String settings(int port, int program, Path files) {
      return """
      global
        maxconn 4096
      defaults
        mode http
        timeout connect 5s
        timeout client 75s
        timeout server 75s
        http-reuse always
        option forwardfor
      listen program
        bind 127.0.0.1:%d
        server program 127.0.0.1:%d
      """
          .formatted(port, program);
    }
  },
  CADDY("Caddyfile", "caddy run --adapter caddyfile --config Caddyfile") {
    @Override
    String settings(int port, int program, Path files) {
      return """
      {
        admin off
        auto_https off
      }
      :%d {
        bind 127.0.0.1
        reverse_proxy 127.0.0.1:%d {
          transport http {
            keepalive_idle_conns_per_host 256
          }
        }
      }
      """
          .formatted(port, program);
    }
  };

  private static final String NGINX_HEAD =
      """
      worker_processes auto;
      daemon off;
      pid nginx.pid;
      events { worker_connections 4096; }
      """;

  private static final String NGINX_HTTP =
      """
      client_body_temp_path body;
      proxy_temp_path proxy;
      fastcgi_temp_path fastcgi;
      uwsgi_temp_path uwsgi;
      scgi_temp_path scgi;
      sendfile on;
      tcp_nopush on;
      open_file_cache max=1000;
      keepalive_requests 1000000000;
      """;

  private final String file;
  private final String command;

  Rival(String file, String command) {
    this.file = file;
    this.command = command;
  }

  /** Its configuration: to listen on a port before a program and, where it can, before files. */
  abstract String settings(int port, int program, Path files);

  String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The name of the file for {@link #settings}. */
  String file() {
    return file;
  }

  /** To be run where that file is. */
  List<String> command() {
    return List.of(command.split(" ", -1));
  }

  /** An nginx that answers with files, which are in the kernel's memory: what the proxies ask. */
  static String program(int port, Path files) {
    return """
    %s
    http {
      access_log off;
      %s
      server { listen 127.0.0.1:%d reuseport; location / { alias %s/; } }
    }
    """
        .formatted(NGINX_HEAD, NGINX_HTTP, port, files);
  }
}
