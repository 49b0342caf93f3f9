// Styles as a text.
declare module "*.css?inline" {
  const text: string;
  export default text;
}
