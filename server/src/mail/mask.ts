// Email addresses as operators see them: enough to tell one from another, too little to write to.

/** `a…@example.org`. */
export function masked(email: string): string {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, 1)}…${email.slice(at)}`
}
