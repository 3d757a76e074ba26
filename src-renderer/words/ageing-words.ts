import type { Ageing } from '../../src-shared/contract.ts'

export const AGEING_KIND_WORDS: Readonly<Record<Ageing['kind'], string>> = {
  notSent: 'Not sent',
  notConfirmed: 'Not confirmed',
  noReport: 'No report',
  notRedone: 'Refused, not redone',
}

export const AGEING_WORDS = {
  title: 'Waiting longer than they should',
  button: (count: number) => `${count} waiting too long`,
  kinds: 'Show only',
  all: 'All',
  cases: 'Cases that wait',
  since: (when: string) => `since ${when}`,
  open: (reference: string) => `Open case ${reference}`,
} as const
