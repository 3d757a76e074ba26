/** Whatever the stand-in does not have is told by its name: an absent member would be a silent difference to Electron. */
import { tell } from './stage.ts'

/** Asked of any object by `await`, JSON and the like. */
const ASKED_OF_EVERYTHING = new Set(['then', 'toJSON', 'constructor', 'domain', 'inspect', 'nodeType'])

export function unknownMember(member: string): never {
  tell({ kind: 'unknown', member })
  process.stderr.write(`The stand-in for electron has no ${member}\n`)
  throw new Error(`The stand-in for electron has no ${member}`)
}

/** The same object, of which only what is there can be read or set. */
export function loud<Target extends object>(name: string, target: Target): Target {
  return new Proxy(target, {
    get(of, key, receiver) {
      if (typeof key === 'symbol' || key in of || key.startsWith('_') || ASKED_OF_EVERYTHING.has(key))
        return Reflect.get(of, key, receiver)
      return unknownMember(`${name}.${key}`)
    },
    set(of, key, value, receiver) {
      if (typeof key === 'symbol' || key in of || key.startsWith('_'))
        return Reflect.set(of, key, value, receiver)
      return unknownMember(`${name}.${key}`)
    },
  })
}
