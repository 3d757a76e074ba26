/** Each typed word must begin a word of the submission; what FTS would take for syntax is quoted away. */
export function matchExpression(search: string): string | null {
  const words = search.normalize('NFC').match(/[\p{L}\p{N}\p{M}]+/gu)
  if (!words) return null
  return words.map((word) => `"${word}"*`).join(' AND ')
}
