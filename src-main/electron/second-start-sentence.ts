import type { SecondStart } from './single-instance.ts'
import type { HostWords } from './words/host-words.ts'

export type ReportedStart = Exclude<SecondStart, { kind: 'stale' | 'running' }>

/** The sentence. Pure. */
export function describeSecondStart(why: ReportedStart, { life: texts }: HostWords): string {
  switch (why.kind) {
    case 'silent':
      return texts.silent(why.pid)
    case 'otherAccount':
      return texts.otherAccount(why.pid)
    case 'otherHost':
      return texts.otherHost(why.hostName, why.lockPath)
  }
}
