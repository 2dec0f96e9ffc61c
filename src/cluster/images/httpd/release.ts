// The release of Apache that can be pulled.

export const httpdVersion = "2.4.66";
export const httpdRoot = "/usr/local/apache2/htdocs";
/** What its program is called among those that come late. */
export const httpdProgramName = "httpd";
