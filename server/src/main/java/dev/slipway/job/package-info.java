/** Durable jobs: a thin layer over db-scheduler. */
@org.jspecify.annotations.NullMarked
package dev.slipway.job;
