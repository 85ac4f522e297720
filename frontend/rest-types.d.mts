export const FILE: string;
export function restTypes(document?: object, answers?: readonly string[]): string;
