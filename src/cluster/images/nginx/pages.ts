// The pages that nginx brings along, and the server that shows them.

export const welcomePage = `<!DOCTYPE html>
<html>
<head>
<title>Welcome to nginx!</title>
<style>
html { color-scheme: light dark; }
body { width: 35em; margin: 0 auto;
font-family: Tahoma, Verdana, Arial, sans-serif; }
</style>
</head>
<body>
<h1>Welcome to nginx!</h1>
<p>If you see this page, the nginx web server is successfully installed and
working. Further configuration is required.</p>

<p>For online documentation and support please refer to
<a href="http://nginx.org/">nginx.org</a>.<br/>
Commercial support is available at
<a href="http://nginx.com/">nginx.com</a>.</p>

<p><em>Thank you for using nginx.</em></p>
</body>
</html>
`;

/** Before 1.21.5. */
export const olderWelcomePage = welcomePage.replace(
  "html { color-scheme: light dark; }\nbody { width: 35em; margin: 0 auto;\nfont-family: Tahoma, Verdana, Arial, sans-serif; }",
  "    body {\n        width: 35em;\n        margin: 0 auto;\n        font-family: Tahoma, Verdana, Arial, sans-serif;\n    }",
);

export const statusTexts: { readonly [status: number]: string } = {
  200: "OK",
  301: "Moved Permanently",
  302: "Found",
  304: "Not Modified",
  400: "Bad Request",
  403: "Forbidden",
  404: "Not Found",
  405: "Not Allowed",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Temporarily Unavailable",
  504: "Gateway Time-out",
};

/** `why`: what nginx says of mistakes that have no status of their own. */
export function errorPage(status: number, server: string, why?: string): string {
  const title = `${status} ${statusTexts[status] ?? ""}`.trim();
  return [
    "<html>",
    `<head><title>${why === undefined ? title : `${status} ${why}`}</title></head>`,
    "<body>",
    `<center><h1>${title}</h1></center>`,
    ...(why === undefined ? [] : [`<center>${why}</center>`]),
    `<hr><center>${server}</center>`,
    "</body>",
    "</html>",
    "",
  ].join("\r\n");
}

export const defaultServer = `server {
    listen       80;
    listen  [::]:80;
    server_name  localhost;

    #access_log  /var/log/nginx/host.access.log  main;

    location / {
        root   /usr/share/nginx/html;
        index  index.html index.htm;
    }

    #error_page  404              /404.html;

    # redirect server error pages to the static page /50x.html
    #
    error_page   500 502 503 504  /50x.html;
    location = /50x.html {
        root   /usr/share/nginx/html;
    }
}
`;
