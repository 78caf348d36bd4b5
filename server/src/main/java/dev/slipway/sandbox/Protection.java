package dev.slipway.sandbox;

import java.util.Optional;

/**
 * What this host lets a sandbox keep apart, for those who have to judge it.
 *
 * @param ownUser whether each program has a user of the host for itself
 * @param ownProcesses whether a program sees no processes but its own
 * @param ownFiles whether a program sees few of the host's files
 * @param limits whether the kernel bounds memory and the number of processes
 * @param buildsShareNetwork why builds share the host's network, as what to do about it; absent
 *     where they do not
 */
public record Protection(
    boolean ownUser,
    boolean ownProcesses,
    boolean ownFiles,
    boolean limits,
    Optional<String> buildsShareNetwork) {}
