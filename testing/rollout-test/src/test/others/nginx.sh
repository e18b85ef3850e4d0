#!/bin/sh
# nginx in the foreground, with one location, on the port of the first argument.
folder=$(mktemp -d)
cat > "$folder/nginx.conf" <<CONF
daemon off; pid $folder/pid; error_log stderr; worker_processes 1;
events { worker_connections 512; }
http {
  access_log off; client_body_temp_path $folder; proxy_temp_path $folder;
  fastcgi_temp_path $folder; uwsgi_temp_path $folder; scgi_temp_path $folder;
  server { listen 127.0.0.1:$1; location / { return 200 "ok"; } }
}
CONF
exec nginx -c "$folder/nginx.conf"
