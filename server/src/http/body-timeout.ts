// How long a request may take to arrive completely: 20 s, or as long as its reader allows. Node has one limit for all.
import type { IncomingMessage } from 'node:http'

const usual = 20_000
const pace = 1000

interface BodyTimeouts {
  /** Starts waiting for the body of a request; a handler that `takesForm` reads it in its own time. */
  begin(request: IncomingMessage, takesForm: boolean): void
  /** The body has arrived. */
  end(request: IncomingMessage): void
  stop(): void
}

/** Calls `late` once for each request whose body has not arrived in time. */
export function bodyTimeouts(late: (request: IncomingMessage) => void): BodyTimeouts {
  const arriving = new Map<IncomingMessage, number>()
  const timer = setInterval(() => {
    const now = performance.now()
    for (const [request, deadline] of arriving) {
      if (request.complete || request.destroyed) arriving.delete(request)
      else if (now > deadline) {
        arriving.delete(request)
        late(request)
      }
    }
  }, pace)
  timer.unref()
  return {
    begin(request, takesForm) {
      if ((takesForm && isForm(request)) || !hasBody(request)) return
      arriving.set(request, performance.now() + usual)
    },
    end: (request) => void arriving.delete(request),
    stop: () => clearInterval(timer),
  }
}

const isForm = ({ headers }: IncomingMessage): boolean => /^multipart\/form-data\b/i.test(headers['content-type'] ?? '')

/** Whether a body follows the head (RFC 9112, section 6.3). */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
