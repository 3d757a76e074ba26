import type { SecondStart } from './single-instance.ts'
import type { HostWords } from './words/host-words.ts'

export type ToldStart = Exclude<SecondStart, { kind: 'stale' | 'running' }>

/** The sentence. Pure. */
export function secondStartSentence(why: ToldStart, { life }: HostWords): string {
  switch (why.kind) {
    case 'silent':
      return life.silent(why.pid)
    case 'otherAccount':
      return life.otherAccount(why.pid)
    case 'otherHost':
      return life.otherHost(why.hostName, why.lockPath)
  }
}
