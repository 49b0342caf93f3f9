import { defineConfig } from "vite";

// The module that anywidget loads: one file with its styles, which leaves the files beside it.
export default defineConfig({
  build: {
    outDir: "../src/tilewright/explorer/page",
    emptyOutDir: false,
    modulePreload: false,
    rollupOptions: {
      input: "src/widget.ts",
      preserveEntrySignatures: "strict",
      output: { entryFileNames: "widget.js", codeSplitting: false },
    },
  },
});
