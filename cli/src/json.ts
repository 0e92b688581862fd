// The machine's face: one JSON value a line, in characters that are safe on a terminal too, with the words of others
// under keys that begin with `untrusted_`.

/** JSON.stringify escapes C0 controls only; a C1 control or a turned direction would pass. */
const unsafe = /[\u007f-\u009f\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu

export function toJson(value: unknown): string {
  return JSON.stringify(value).replace(unsafe, (character) =>
    Array.from({ length: character.length }, (_, n) => escaped(character.charCodeAt(n))).join(''),
  )
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`
}

/** Fields that participants write, wherever they appear in a payload. */
const written = new Set(
  'display_name specialty bio character_description country city preferred_language title text project body summary description delivery_description result_text reason decision_reason response question label unit_label tags options appeal parameters result waiting_text diagnostics'.split(
    ' ',
  ),
)

/** The same value with the words of participants under `untrusted_<name>`. */
export function untrusted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(untrusted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      written.has(key) && inner !== null ? [`untrusted_${key}`, inner] : [key, untrusted(inner)],
    ),
  )
}
