/** Each typed word must begin a word of the submission; what FTS would take for syntax is quoted away. */
export function matchExpression(search: string): string | null {
  const tokens = search.normalize('NFC').match(/[\p{L}\p{N}\p{M}]+/gu)
  if (!tokens) return null
  return tokens.map((token) => `"${token}"*`).join(' AND ')
}
