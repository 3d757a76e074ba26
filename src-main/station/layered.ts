/** Values that were laid over each other, each with the layer that it comes from. Pure. */
import type { SettingSource } from '../../src-shared/setting-source.ts'

type Branch = { readonly kind: 'branch'; readonly below: ReadonlyMap<string, Layered> }
type Leaf = { readonly kind: 'leaf'; readonly value: unknown; readonly source: SettingSource }
export type Layered = Branch | Leaf

export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** One layer by itself. Objects are taken apart; a list is one value, and so is a null. */
export function layerOf(value: unknown, source: SettingSource): Layered {
  return mergeLayer(null, value, source)
}

/** What the upper layer states outweighs, name by name; what it leaves out stays as it was below. */
export function mergeLayer(lower: Layered | null, value: unknown, source: SettingSource): Layered {
  if (!isPlainObject(value)) return { kind: 'leaf', value, source }
  const below = new Map(lower?.kind === 'branch' ? lower.below : [])
  for (const [name, part] of Object.entries(value))
    if (part !== undefined) below.set(name, mergeLayer(below.get(name) ?? null, part, source))
  return { kind: 'branch', below }
}

/** The value that all layers come to. */
export function valueOf(layered: Layered): unknown {
  if (layered.kind === 'leaf') return layered.value
  return Object.fromEntries([...layered.below].map(([name, part]) => [name, valueOf(part)]))
}

/** The layer that stated the value at a place; null where none did, so that it is built in. */
export function sourceAt(layered: Layered, path: readonly (string | number)[]): SettingSource | null {
  let rest = path
  let at: Layered = layered
  while (at.kind === 'branch') {
    const [name, ...further] = rest
    const next = name === undefined ? undefined : at.below.get(String(name))
    if (!next) return null
    at = next
    rest = further
  }
  let value: unknown = at.value
  for (const name of rest) {
    if (typeof value !== 'object' || value === null) return null
    value = Reflect.get(value, name)
    if (value === undefined) return null
  }
  return at.source
}
