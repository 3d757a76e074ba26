import type { makeCrossing, WorldNames } from './crossing.ts'

/** Runs in the page's own world before any of its scripts: takes in what the preload exposes. */
export function inPage(names: WorldNames, cross: typeof makeCrossing): void {
  let answer: unknown = null
  const crossing = cross(
    (message) => {
      document.dispatchEvent(new CustomEvent(names.toPreload, { detail: message }))
      const given = answer
      answer = null
      return given
    },
    (text) =>
      text.startsWith(`${location.origin}/`) ? names.origin + text.slice(location.origin.length) : text,
  )
  document.addEventListener(names.toPage, (event) => {
    const { detail } = event as CustomEvent<{ kind: string; value: unknown; key: string }>
    switch (detail.kind) {
      case 'expose':
        if (detail.key in window)
          throw new Error(`Cannot bind an API on top of an existing property: ${detail.key}`)
        // As Electron does it: the page can neither replace nor change it.
        return void Object.defineProperty(window, detail.key, {
          value: freeze(crossing.unpack(detail.value)),
          enumerable: true,
        })
      case 'answer':
        return void (answer = detail.value)
      default:
        document.dispatchEvent(
          new CustomEvent(names.toPreload, {
            detail: { kind: 'answer', value: crossing.take(detail as never) },
          }),
        )
    }
  })
  function freeze(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    Object.values(value).forEach(freeze)
    return Object.freeze(value)
  }
}
