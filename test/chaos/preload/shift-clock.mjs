/** Loaded before a station: its clock is off by as many milliseconds as the file CHAOS_CLOCK says, read now and then. */
import { readFileSync } from 'node:fs'

const path = process.env.CHAOS_CLOCK
const Genuine = Date
const READ_EVERY_MS = 20
let offset = 0
let readAt = -Infinity

function shifted() {
  if (performance.now() - readAt > READ_EVERY_MS) {
    readAt = performance.now()
    try {
      offset = Number(readFileSync(path, 'utf8')) || 0
    } catch {
      offset = 0
    }
  }
  return Genuine.now() + offset
}

if (path !== undefined) {
  globalThis.Date = class extends Genuine {
    constructor(...parameters) {
      if (parameters.length === 0) super(shifted())
      else super(...parameters)
    }

    static now() {
      return shifted()
    }
  }
}
