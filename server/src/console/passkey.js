// The one script of the console. A form with data-passkey asks the browser for a passkey, puts the answer into its field `answer`,
// and is sent as any other form.

/** Of a challenge, with some room: after that the page is asked for again. */
const freshFor = 4.5 * 60_000

/** Before a name that was typed, in the tab's own name, while the page is asked for again: a browser may block storage. */
const typed = 'kith-passkey:'

/** @param {string} text */
const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))

/** @param {ArrayBuffer} buffer */
const textOf = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** @param {any} options As JSON has them; bytes are base64url there. */
const create = async (options) => {
  const publicKey = {
    ...options,
    challenge: bytesOf(options.challenge),
    user: { ...options.user, id: bytesOf(options.user.id) },
    excludeCredentials: options.excludeCredentials.map((/** @type {any} */ each) => ({
      ...each,
      id: bytesOf(each.id),
    })),
  }
  const made = /** @type {any} */ (await navigator.credentials.create({ publicKey }))
  const { response } = made
  return {
    id: made.id,
    rawId: textOf(made.rawId),
    type: made.type,
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      attestationObject: textOf(response.attestationObject),
      transports: response.getTransports?.() ?? [],
    },
  }
}

/** @param {any} options */
const get = async (options) => {
  const publicKey = { ...options, challenge: bytesOf(options.challenge), allowCredentials: [] }
  const used = /** @type {any} */ (await navigator.credentials.get({ publicKey }))
  const { response } = used
  return {
    id: used.id,
    rawId: textOf(used.rawId),
    type: used.type,
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      authenticatorData: textOf(response.authenticatorData),
      signature: textOf(response.signature),
      userHandle: response.userHandle ? textOf(response.userHandle) : '',
    },
  }
}

for (const form of document.querySelectorAll('form[data-passkey]')) {
  if (!(form instanceof HTMLFormElement)) continue
  const button = /** @type {HTMLButtonElement} */ (form.querySelector('button[type="submit"]'))
  const answer = /** @type {HTMLInputElement} */ (form.elements.namedItem('answer'))
  /** @param {string} [which] */
  const tell = (which) => {
    for (const note of form.querySelectorAll('[data-note]')) {
      if (note instanceof HTMLElement) note.hidden = note.dataset['note'] !== which
    }
  }
  const name = form.elements.namedItem('name')
  if (window.name.startsWith(typed)) {
    const kept = window.name.slice(typed.length)
    window.name = ''
    if (name instanceof HTMLInputElement && kept !== '') name.value = kept
    tell('stale')
    button.focus()
  }
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (button.disabled) return
    if (performance.now() > freshFor) {
      window.name = typed + (name instanceof HTMLInputElement ? name.value : '')
      return location.replace(location.pathname + location.search)
    }
    if (!window.PublicKeyCredential) return tell('none')
    tell()
    button.disabled = true
    try {
      const ask = form.dataset['passkey'] === 'create' ? create : get
      answer.value = JSON.stringify(await ask(JSON.parse(form.dataset['options'] ?? '')))
      form.submit()
    } catch (error) {
      const isKnown = error instanceof DOMException && error.name === 'InvalidStateError'
      tell(isKnown ? 'known' : 'failed')
      button.disabled = false
      // It had the focus until it was disabled.
      button.focus()
    }
  })
}

// A page that the browser shows again was answered already.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})
