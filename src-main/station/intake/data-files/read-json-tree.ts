import {
  MAX_LEVELS,
  nodeBudget,
  TreeLimit,
  type DataBlock,
  type DataValue,
  type TreeReading,
} from './data-tree.ts'

/** Takes a JSON document apart. A list becomes blocks of one name; lists of bare values are no details of a case. Pure. */
export function readJsonTree(text: string): TreeReading {
  const document = parsed(text)
  if (typeof document !== 'object' || document === null) return { ok: false, why: 'broken' }
  try {
    return { ok: true, root: blockOf('', document, 0, nodeBudget()) }
  } catch (error) {
    if (error instanceof TreeLimit) return { ok: false, why: error.why }
    throw error
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function blockOf(
  name: string,
  stated: object,
  level: number,
  budget: ReturnType<typeof nodeBudget>,
): DataBlock {
  if (level > MAX_LEVELS) throw new TreeLimit('tooDeep')
  // An array as the document itself has blocks without a name.
  const entries = Array.isArray(stated) ? [[name, stated] as const] : Object.entries(stated)
  if (!budget.take(entries.length + 1)) throw new TreeLimit('tooMuch')
  const values: DataValue[] = []
  const blocks: DataBlock[] = []
  for (const [key, value] of entries as readonly (readonly [string, unknown])[]) {
    if (Array.isArray(value)) {
      if (!budget.take(value.length)) throw new TreeLimit('tooMuch')
      for (const item of value as readonly unknown[])
        if (typeof item === 'object' && item !== null) blocks.push(blockOf(key, item, level + 1, budget))
    } else if (typeof value === 'object' && value !== null)
      blocks.push(blockOf(key, value, level + 1, budget))
    else values.push({ name: key, value: value as DataValue['value'] })
  }
  return { name, values, blocks }
}
