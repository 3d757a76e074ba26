import {
  type DataFileOptions,
  type DataFileReading,
} from '../../../../../src-main/station/cases/records/data-files.ts'
import { readDataFile } from '../../../../../src-main/station/readers/read-data.ts'
import type { Sidecar } from '../../../../../src-main/station/cases/meaning/sources.ts'

const PLAIN: DataFileOptions = { columns: {}, dateOrder: 'ymd', nameOrder: 'lastFirst' }

export function readAs(
  name: string,
  content: string | Buffer,
  options: Partial<DataFileOptions> = {},
): DataFileReading {
  return readDataFile(name, typeof content === 'string' ? Buffer.from(content) : content, {
    ...PLAIN,
    ...options,
  })
}

export function recordsAs(...args: Parameters<typeof readAs>): readonly Sidecar[] {
  const reading = readAs(...args)
  if (!reading.ok) throw new Error(reading.message)
  return reading.records
}

/** The one record of a file that holds one visit. */
export function recordAs(...args: Parameters<typeof readAs>): Sidecar {
  const [record, ...others] = recordsAs(...args)
  if (!record || others.length > 0) throw new Error(`${others.length + 1} records instead of one`)
  return record
}

export function rejectedFields(record: Sidecar): readonly string[] {
  return record.rejected.map(({ field }) => field)
}
