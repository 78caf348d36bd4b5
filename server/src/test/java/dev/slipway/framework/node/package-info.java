/** Tests of what is read off files of Node applications. */
@org.jspecify.annotations.NullMarked
package dev.slipway.framework.node;
