/** Certificates of custom domains: uploaded, or ordered and renewed by ACME (RFC 8555). */
@org.jspecify.annotations.NullMarked
package dev.slipway.certificate;
