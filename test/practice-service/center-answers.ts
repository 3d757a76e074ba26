import { emptyAnswer, enveloped, jsonAnswer, type Answer } from './answer.ts'
import type { Centers } from './centers.ts'
import type { Dialect } from './dialects.ts'

/** The centers as a list, wrapped or not, or as a map of id to name. */
export function centersAnswer(dialect: Dialect, centers: Centers): Answer {
  const items = centers.all.map((center) => ({
    [dialect.centerId]: center.id,
    [dialect.centerName]: center.name,
    ...(dialect.marksCurrentCenter ? { current: center.id === centers.currentId } : {}),
  }))
  const map = Object.fromEntries(centers.all.map((center) => [center.id, center.name]))
  switch (dialect.centers) {
    case 'array':
      return jsonAnswer(200, items)
    case 'map':
      return jsonAnswer(200, map)
    case 'content.map':
      return jsonAnswer(200, enveloped('content', map))
    case 'centers':
    case 'content':
    case 'data':
      return jsonAnswer(200, enveloped(dialect.centers, items))
  }
}

/** The answer to a change of center that was made. */
export function centerChangedAnswer(dialect: Dialect): Answer {
  switch (dialect.centerChanged) {
    case 'envelope':
      return jsonAnswer(200, { success: true, content: 'Center changed.' })
    case 'empty':
      return emptyAnswer(200)
    case 'noContent':
      return emptyAnswer(204)
  }
}
