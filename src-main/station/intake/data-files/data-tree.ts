/** What an XML and a JSON document have in common: named blocks that hold named values and other blocks. */
export type DataBlock = {
  readonly name: string
  readonly values: readonly DataValue[]
  readonly blocks: readonly DataBlock[]
}

export type DataValue = { readonly name: string; readonly value: string | number | boolean | null }

export type TreeReading =
  | { readonly ok: true; readonly root: DataBlock }
  | { readonly ok: false; readonly why: 'broken' | 'hasOwnTypes' | 'tooDeep' | 'tooMuch' }

/** Exports nest ten levels; what nests deeper is made to harm. */
export const MAX_LEVELS = 60
/** Far more than an export of thousands of patients holds. */
const MAX_NODES = 300_000

/** Counts the nodes of one document: false when it is too much. */
export function nodeBudget(): { readonly take: (count: number) => boolean } {
  let left = MAX_NODES
  return {
    take: (count) => {
      left -= count
      return left >= 0
    },
  }
}

/** Thrown and caught within one reader, to leave its recursion. */
export class TreeLimit extends Error {
  readonly why: 'tooDeep' | 'tooMuch'
  constructor(why: 'tooDeep' | 'tooMuch') {
    super(why)
    this.why = why
  }
}
